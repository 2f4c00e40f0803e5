/* Passes the last model and LP of a search on to a search over the same graph with another budget
 * or deadline. The first LP there starts from this basis. Most of its duals already extend to all
 * cells, so that growth has little left to do. */
#include "exact/cells/neighbour.h"
#include "exact/cells/warm.h"
#include "exact/cells/working.h"

struct exact_neighbour {
    working *last; /* NULL: nothing yet, or used up */
    problem p;     /* problem of the last model */
};

exact_neighbour *exact_neighbour_create(void)
{
    return base_calloc(1, sizeof(exact_neighbour));
}

static void clear_neighbour(exact_neighbour *neighbour)
{
    working *last = neighbour->last;
    neighbour->last = NULL;
    working_free(last);
}

void exact_neighbour_free(exact_neighbour *neighbour)
{
    if (neighbour)
        clear_neighbour(neighbour);
    base_free(neighbour);
}

void engine_neighbour_warm_start(const engine *e, working *w)
{
    exact_neighbour *neighbour = e->params->neighbour;
    if (!neighbour || !neighbour->last)
        return;
    unsigned char *basis = warm_basis(e, w->f, 0, neighbour->last, NULL);
    lp_set_basis(w->lp, basis);
    base_free(basis);
    clear_neighbour(neighbour); /* the search needs the memory more */
}

void engine_neighbour_store(engine *e, working *last)
{
    const bool wanted = e->params->neighbour && !e->params->proof;
    if (wanted && last && last->status == LP_OPTIMAL) {
        working_free(e->last);
        e->last = last;
    } else {
        working_free(last);
    }
}

void engine_neighbour_commit(const engine *e)
{
    exact_neighbour *neighbour = e->params->neighbour;
    if (!e->last)
        return;
    clear_neighbour(neighbour);
    neighbour->last = e->last;
    neighbour->p = *e->p;
    neighbour->last->f->problem = &neighbour->p;
}
