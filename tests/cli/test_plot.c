/* Texts in pictures: names that are too long for their place. How pictures are drawn is tested by
 * tests/bench/test_figures.py. */
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("plot", 4);

static const struct {
    const char *text, *expected;
    int most;
} texts[] = {
    {"", "", 3},
    {"abcde", "abcde", 5},
    {"abcdef",
     "ab\xe2\x80\xa6"
     "ef",
     5},
    {"abcdefg",
     "abc\xe2\x80\xa6"
     "fg",
     6},
    {"\xc3\xa4\xc3\xb6\xc3\xbc", "\xc3\xa4\xc3\xb6\xc3\xbc", 3}, /* letters of two bytes */
    {"\xc3\xa4\xc3\xb6\xc3\xbc\xe2\x82\xac", "\xc3\xa4\xe2\x80\xa6\xe2\x82\xac", 3},
    {"a\nb\033", "a?b?", 4},
};

LOOP_TEST(long_texts_keep_their_ends, LENGTH(texts))
{
    ck_assert_str_eq(cli_plot_short(texts[_i].text, texts[_i].most).text, texts[_i].expected);
}

/* The longest text of all is cut before it is shortened, and ends within its room. */
TEST(endless_texts)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_uint_eq(strlen(cli_plot_short(text, 60).text), 59 + 3);
    ck_assert_uint_lt(strlen(cli_plot_short(text, 5000).text), sizeof(base_shown));
}

/* The page grows with the longest name at a tic, to a limit from which names are shortened. */
TEST(long_names_fit_below_the_picture)
{
    static const struct {
        int letters;
        const char *longest, *height;
    } names[] = {{4, "longest = 4\n", "height = 4.18\n"},
                 {32, "longest = 32\n", "height = 6.14\n"},
                 {300, "longest = 32\n", "height = 6.14\n"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char name[400], text[1200];
        memset(name, 'm', sizeof name);
        name[names[k].letters] = '\0';
        snprintf(text, sizeof text,
                 "{\"nodes\": [{\"name\": \"%s\", \"bytes\": 8, \"inputs\": [], \"flops\": 1000},"
                 "{\"name\": \"b\", \"bytes\": 8, \"inputs\": [0], \"flops\": 1000}]}",
                 name);
        cli_test_write("g.json", text);
        cli_exits(0, "poetbnb solve --graph g.json --platform m4 --ram-budget 100%% "
                     "--quiet --plot p.gp");
        const char *script = cli_test_read("p.gp");
        cli_test_contains(script, names[k].longest, names[k].height);
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
