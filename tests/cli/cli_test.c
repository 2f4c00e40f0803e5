/* Runs a command in a shell, with the built program on its path, in a fresh folder; keeps its
 * output and reads numbers from its JSON. */
#include "tests/cli/cli_test.h"

#include <dirent.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

enum { COMMAND = 8192 }; /* most bytes of one */

static char folder[PATH_MAX];
static char *last_out, *last_err, *last_file;

/* The runner is OUT/tests/run-cli, the program OUT/poetbnb. */
static const char *program(void)
{
    static char path[PATH_MAX];
    if (path[0])
        return path;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    ck_assert_int_gt(length, 0);
    path[length] = '\0';
    for (int up = 0; up < 2; up++)
        *strrchr(path, '/') = '\0';
    size_t used = strlen(path);
    snprintf(path + used, sizeof path - used, "/poetbnb");
    ck_assert_msg(access(path, X_OK) == 0, "%s is not there: build it first", path);
    return path;
}

void cli_test_setup(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/poetbnb-test-XXXXXX", where ? where : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

void cli_test_teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    base_free_all(last_out, last_err, last_file);
    last_out = last_err = last_file = NULL;
}

static char *slurp(const char *name)
{
    base_error error;
    size_t size;
    char *text = base_file_read(name, 1 << 28, &size, &error);
    ck_assert_msg(text != NULL, "%s", error.text);
    return text;
}

static cli_run run_command(const char *command)
{
    char all[3 * COMMAND];
    /* Outputs outside of the folder, so that the tests can look for stray files. */
    snprintf(
        all, sizeof all,
        "POETBNB='%s'; poetbnb() { \"$POETBNB\" \"$@\"; }; { %s\n} >'%s.out' 2>'%s.err' </dev/null",
        program(), command, folder, folder);
    int status = system(all);
    char name[PATH_MAX + 8];
    base_free_all(last_out, last_err);
    snprintf(name, sizeof name, "%s.out", folder);
    last_out = slurp(name);
    unlink(name);
    snprintf(name, sizeof name, "%s.err", folder);
    last_err = slurp(name);
    unlink(name);
    return (cli_run){.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                     .out = last_out,
                     .err = last_err};
}

cli_run cli_test_run(const char *format, ...)
{
    char command[COMMAND];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return run_command(command);
}

cli_run cli_exits_at(const char *file, int line, int status, const char *format, ...)
{
    char command[COMMAND];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    cli_run run = run_command(command);
    ck_assert_msg(run.status == status,
                  "%s:%d: exit status %d, expected %d: %s\nout: %.2000s\nerr: %.2000s", file, line,
                  run.status, status, command, run.out, run.err);
    return run;
}

void cli_test_contains_at(const char *file, int line, const char *text, const char *const *parts)
{
    for (; *parts; parts++)
        ck_assert_msg(strstr(text, *parts) != NULL, "%s:%d: expected '%s' in:\n%.4000s", file, line,
                      *parts, text);
}

void cli_test_write(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

const char *cli_test_read(const char *name)
{
    base_free(last_file);
    last_file = access(name, R_OK) == 0 ? slurp(name) : NULL;
    return last_file;
}

int cli_test_files(void)
{
    DIR *here = opendir(".");
    ck_assert_ptr_nonnull(here);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(here);
    return count;
}

static json_t *member(json_t **root, const char *json, const char *key)
{
    json_error_t error;
    *root = json_loads(json, 0, &error);
    ck_assert_msg(*root != NULL, "not JSON, line %d: %s\n%.2000s", error.line, error.text, json);
    json_t *value = json_object_get(*root, key);
    ck_assert_msg(value != NULL, "no \"%s\" in:\n%.2000s", key, json);
    return value;
}

double cli_test_number(const char *json, const char *key)
{
    json_t *root, *value = member(&root, json, key);
    ck_assert_msg(json_is_number(value), "\"%s\" is no number in:\n%.2000s", key, json);
    double number = json_number_value(value);
    json_decref(root);
    return number;
}

bool cli_test_text(const char *json, const char *key, const char *expected)
{
    json_t *root, *value = member(&root, json, key);
    bool same = json_is_string(value) && strcmp(json_string_value(value), expected) == 0;
    json_decref(root);
    return same;
}
