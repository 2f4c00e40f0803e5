/* Calls the functions of the library's user. They run outside of the guard of the solve and in
 * the caller's locale: memory that they allocate belongs to the caller. */
#include <string.h>

#include "library/library.h"

/* Milliseconds between two calls of `stop`. */
enum { ASK_EVERY = 20 };

/* Runs a function of the caller with the lock held. */
static void call_out(library_calls *calls, void (*step)(void *), void *context)
{
    const locale_t here = uselocale(calls->locale);
    base_join(NULL, step, context);
    uselocale(here);
}

/* ---- log ----------------------------------------------------------------------------------- */

static void call_log(void *data)
{
    library_calls *calls = data;
    calls->solver->callbacks.log(calls->solver->callbacks.log_user, calls->line);
}

static void end_line(library_calls *calls)
{
    calls->line[calls->length] = '\0';
    call_out(calls, call_log, calls);
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

typedef struct found_call {
    const library_callbacks *callbacks;
    poetbnb_incumbent what;
} found_call;

static void call_found(void *data)
{
    const found_call *call = data;
    call->callbacks->found(call->callbacks->found_user, &call->what);
}

void library_found(void *context, const schedule *s, const validation *v, const char *source)
{
    library_calls *calls = context;
    (void)s;
    if (!calls->solver->callbacks.found)
        return;
    found_call call = {.callbacks = &calls->solver->callbacks,
                       .what = {.overhead_joules = v->overhead_joules,
                                .seconds = base_seconds() - calls->started,
                                .peak_bytes = v->peak_bytes,
                                .source = source}};
    pthread_mutex_lock(&calls->lock);
    call_out(calls, call_found, &call);
    pthread_mutex_unlock(&calls->lock);
}

/* ---- stop ---------------------------------------------------------------------------------- */

typedef struct stop_call {
    const library_callbacks *callbacks;
    int answer;
} stop_call;

static void call_stop(void *data)
{
    stop_call *call = data;
    call->answer = call->callbacks->stop(call->callbacks->stop_user);
}

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
    stop_call call = {.callbacks = &solver->callbacks};
    call_out(calls, call_stop, &call);
    pthread_mutex_unlock(&calls->lock);
    if (call.answer)
        solver->stop = 1;
    return call.answer != 0;
}
