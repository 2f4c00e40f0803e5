/* Tables of parameters: record and table agree, values out of range are refused. */
#include <math.h>

#include "base/params.h"
#include "tests/suite.h"

SUITE("all");

#define SOME_PARAMETERS(X)                                                                         \
    X(INTEGER, rounds, 3, 1, 10, "help", "source")                                                 \
    X(REAL, share, 0.5, 0, 1, "help", "source")                                                    \
    X(SWITCH, cuts, true, 0, 1, "help", "source")                                                  \
    X(INTEGER, most, 2000000000, -5, 2000000000, "help", "source")

typedef struct some_tuning {
    SOME_PARAMETERS(PARAMS_FIELD)
} some_tuning;

#define RECORD some_tuning
static const params_entry entries[] = {SOME_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
static const params_table table = {"some", entries};

static some_tuning defaults(void)
{
    return (some_tuning){SOME_PARAMETERS(PARAMS_INITIAL)};
}

TEST(record_and_table_come_from_the_list)
{
    const some_tuning t = defaults();
    ck_assert_int_eq(t.rounds, 3);
    ck_assert(t.share == 0.5 && t.cuts);
    ck_assert_int_eq(t.most, 2000000000);
    ck_assert_str_eq(entries[1].name, "share");
    ck_assert_int_eq(entries[2].kind, PARAMS_SWITCH);
    for (const params_entry *e = table.entry; e->name; e++)
        ck_assert(params_get(e, &t) == e->initial);
    ck_assert_ptr_null(entries[4].name);
}

TEST(values_in_range_are_set)
{
    some_tuning t = defaults();
    ck_assert(params_set(params_find(&table, "rounds"), &t, 10));
    ck_assert(params_set(params_find(&table, "share"), &t, 0.25));
    ck_assert(params_set(params_find(&table, "cuts"), &t, 0));
    ck_assert(params_set(params_find(&table, "most"), &t, -5));
    ck_assert(t.rounds == 10 && t.share == 0.25 && !t.cuts && t.most == -5);
}

TEST(others_are_refused)
{
    static const struct {
        const char *name;
        double value;
    } bad[] = {{"rounds", 0}, {"rounds", 11},      {"rounds", 2.5}, {"rounds", NAN},
               {"share", -1}, {"share", 1.0001},   {"cuts", 2},     {"cuts", 0.5},
               {"most", -6},  {"most", 2.0e9 + 1}, {"share", NAN}};
    const some_tuning before = defaults();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        some_tuning t = before;
        ck_assert_msg(!params_set(params_find(&table, bad[k].name), &t, bad[k].value), "%s = %g",
                      bad[k].name, bad[k].value);
        for (const params_entry *e = table.entry; e->name; e++)
            ck_assert(params_get(e, &t) == e->initial);
    }
}

TEST(names_are_found_in_full)
{
    ck_assert_ptr_eq(params_find(&table, "cuts"), &entries[2]);
    ck_assert_ptr_null(params_find(&table, "cut"));
    ck_assert_ptr_null(params_find(&table, "cutss"));
    ck_assert_ptr_null(params_find(&table, ""));
    ck_assert_ptr_null(params_find(&table, "some.cuts"));
}
