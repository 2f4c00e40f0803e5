/* docs/formulation.md has a section for every feature and every family of rows, and no other; the
 * certificates call each family by the same name. */
#include <string.h>

#include "certificate/row.h"
#include "formulation/formulation.h"
#include "tests/suite.h"

SUITE("formulation: the book");

enum { MOST = 200 };

typedef struct names {
    int count;
    char name[MOST][40];
} names;

static bool has(const names *list, const char *name)
{
    for (int k = 0; k < list->count; k++)
        if (strcmp(list->name[k], name) == 0)
            return true;
    return false;
}

static void add(names *list, const char *name)
{
    if (!has(list, name)) {
        ck_assert_int_lt(list->count, MOST);
        snprintf(list->name[list->count++], sizeof list->name[0], "%s", name);
    }
}

static names of_the_code(void)
{
    names list = {0};
    int count;
    const formulation_feature_info *feature = formulation_features(&count);
    for (int k = 0; k < count; k++)
        add(&list, feature[k].name);
    for (int k = 0; k < ROW_KINDS; k++)
        add(&list, formulation_rows[k].name);
    return list;
}

/* The headings ### `NAME` of the page, each once. */
static names of_the_page(void)
{
    names list = {0};
    char line[400], name[40];
    FILE *page = fopen("docs/formulation.md", "r");
    ck_assert_msg(page != NULL, "docs/formulation.md: run the tests in the project's folder");
    while (fgets(line, sizeof line, page))
        if (sscanf(line, "### `%39[^`]`", name) == 1) {
            ck_assert_msg(!has(&list, name), "two sections of %s", name);
            add(&list, name);
        }
    fclose(page);
    return list;
}

TEST(every_name_has_its_section)
{
    const names code = of_the_code(), page = of_the_page();
    for (int k = 0; k < code.count; k++)
        ck_assert_msg(has(&page, code.name[k]), "docs/formulation.md has no section ### `%s`",
                      code.name[k]);
    for (int k = 0; k < page.count; k++)
        ck_assert_msg(has(&code, page.name[k]), "no feature and no row is called %s", page.name[k]);
}

/* Rows that no certificate has: those without the feature release. `case` is a row of a proof, not
 * of the model. */
TEST(certificates_have_the_same_names)
{
    names rows = {0}, steps = {0};
    for (int k = 0; k < ROW_KINDS; k++)
        if (k != ROW_FREE_BIGM &&
            (k == ROW_TOTAL || !(formulation_rows[k].features & ~(unsigned)FORMULATION_DEFAULT)))
            add(&rows, formulation_rows[k].name);
    for (int k = 0; k < CERT_ROW_KINDS; k++)
        if (k != CERT_ROW_CASE && !cert_row_is_of_point((cert_row_kind)k))
            add(&steps, cert_row_names[k].word);
    for (int k = 0; k < rows.count; k++)
        ck_assert_msg(has(&steps, rows.name[k]), "certificates do not know %s", rows.name[k]);
    for (int k = 0; k < steps.count; k++)
        ck_assert_msg(has(&rows, steps.name[k]), "no row is called %s", steps.name[k]);
}
