/* Calls the functions of the library's user. They run outside of the guard of the solve and in
 * the caller's locale: memory that they allocate belongs to the caller. */
#include <string.h>

#include "library/library.h"

/* Milliseconds between two calls of `stop`. */
enum { ASK_EVERY = 20 };

/* A call of one of the functions. */
typedef struct call {
    library_calls *calls;
    const poetbnb_incumbent *found; /* for `found' */
    bool stop;                      /* for `stop', and its answer */
} call;

static void run_call(void *data)
{
    call *c = data;
    const library_callbacks *callbacks = &c->calls->solver->callbacks;
    if (c->found)
        callbacks->found(callbacks->found_user, c->found);
    else if (c->stop)
        c->stop = callbacks->stop(callbacks->stop_user) != 0;
    else
        callbacks->log(callbacks->log_user, c->calls->line);
}

/* Runs it with the lock held. */
static bool call_out(call c)
{
    const locale_t here = uselocale(c.calls->locale);
    base_join(NULL, run_call, &c);
    uselocale(here);
    return c.stop;
}

/* ---- log ----------------------------------------------------------------------------------- */

static void end_line(library_calls *calls)
{
    calls->line[calls->length] = '\0';
    call_out((call){.calls = calls});
    calls->length = 0;
}

/* Writes text to the log stream of the caller. Lines that are too long are cut. */
static ssize_t write_log(void *cookie, const char *text, size_t size)
{
    library_calls *calls = cookie;
    pthread_mutex_lock(&calls->lock);
    for (size_t k = 0; k < size; k++) {
        if (text[k] == '\n')
            end_line(calls);
        else if (calls->length + 1 < sizeof calls->line)
            calls->line[calls->length++] = text[k];
    }
    pthread_mutex_unlock(&calls->lock);
    return (ssize_t)size;
}

int library_calls_begin(library_calls *calls, poetbnb_solver *solver)
{
    *calls = (library_calls){
        .solver = solver, .locale = uselocale((locale_t)0), .started = base_seconds()};
    atomic_init(&calls->next_stop_call, 0);
    pthread_mutex_init(&calls->lock, NULL);
    if (!solver->callbacks.log)
        return 0;
    calls->log = fopencookie(calls, "w", (cookie_io_functions_t){.write = write_log});
    if (!calls->log) {
        pthread_mutex_destroy(&calls->lock);
        return -1;
    }
    setvbuf(calls->log, NULL, _IOLBF, BUFSIZ);
    return 0;
}

void library_calls_end(library_calls *calls)
{
    if (calls->log)
        fclose(calls->log);
    if (calls->length > 0)
        end_line(calls);
    pthread_mutex_destroy(&calls->lock);
}

/* ---- incumbents ---------------------------------------------------------------------------- */

void library_found(void *context, const schedule *s, const validation *v, const char *source)
{
    library_calls *calls = context;
    (void)s;
    if (!calls->solver->callbacks.found)
        return;
    const poetbnb_incumbent what = {.overhead_joules = v->overhead_joules,
                                    .seconds = base_seconds() - calls->started,
                                    .peak_bytes = v->peak_bytes,
                                    .source = source};
    pthread_mutex_lock(&calls->lock);
    call_out((call){.calls = calls, .found = &what});
    pthread_mutex_unlock(&calls->lock);
}

/* ---- stop ---------------------------------------------------------------------------------- */

bool library_should_stop(void *context)
{
    library_calls *calls = context;
    poetbnb_solver *solver = calls->solver;
    if (solver->stop || !solver->callbacks.stop)
        return solver->stop;
    const long long now = (long long)(1000 * base_seconds());
    long long next = atomic_load_explicit(&calls->next_stop_call, memory_order_relaxed);
    if (now < next ||
        !atomic_compare_exchange_strong(&calls->next_stop_call, &next, now + ASK_EVERY) ||
        pthread_mutex_trylock(&calls->lock) != 0)
        return false;
    const bool stop = call_out((call){.calls = calls, .stop = true});
    pthread_mutex_unlock(&calls->lock);
    if (stop)
        solver->stop = 1;
    return stop;
}
