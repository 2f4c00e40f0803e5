/* Texts in pictures: names that are too long for their place. How pictures are drawn is tested by
 * tests/bench/test_figures.py. */
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("plot", 4);

/* Draws a schedule of two nodes, of which one has this name; returns the picture. */
static const char *draw_named(const char *name)
{
    char text[1200];
    snprintf(text, sizeof text,
             "{\"nodes\": [{\"name\": \"%s\", \"bytes\": 8, \"inputs\": [], \"flops\": 1000},"
             "{\"bytes\": 8, \"inputs\": [0], \"flops\": 1000}]}",
             name);
    cli_test_write("g.json", text);
    cli_exits(0, "poetbnb solve --graph g.json --platform m4 --ram-budget 100%% "
                 "--quiet --plot p.svg");
    return cli_test_read("p.svg");
}

#define DOTS "\xe2\x80\xa6"
#define UMLAUT "\xc3\xa4" /* a letter of two bytes */
#define FIVE "%%%%" UMLAUT
#define THIRTY FIVE FIVE FIVE FIVE FIVE FIVE

/* Names of tics have 32 letters at most: of a longer one its ends. No % in them is a format. */
TEST(long_names_keep_their_ends)
{
    cli_test_contains(draw_named("a%d" UMLAUT), ">a%d" UMLAUT "<", ">1<");
    cli_test_contains(draw_named(THIRTY "ab"), ">" THIRTY "ab<");
    cli_test_contains(draw_named(THIRTY "abc"),
                      ">" FIVE FIVE FIVE "%" DOTS "%" UMLAUT FIVE FIVE "abc<");
}

/* The page grows with the longest name at a tic, to a limit from which names are shortened. */
TEST(long_names_fit_below_the_picture)
{
    static const struct {
        int letters;
        const char *height;
    } names[] = {{4, " height=\"401\""}, {32, " height=\"589\""}, {300, " height=\"589\""}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char name[400];
        memset(name, 'm', sizeof name);
        name[names[k].letters] = '\0';
        cli_test_contains(draw_named(name), names[k].height);
    }
}

/* gnuplot has nothing to warn of in a locale without UTF-8. */
TEST(any_locale)
{
    ck_assert_int_eq(setenv("LC_ALL", "C", 1), 0);
    cli_run run = cli_exits(0, "poetbnb solve --model linear --platform m4 --ram-budget 100%% "
                               "--quiet --plot p.svg");
    ck_assert_str_eq(run.err, "");
    cli_test_contains(cli_test_read("p.svg"), "<svg");
}
