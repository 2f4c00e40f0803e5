/* base/path: where paths lead. Private to base/. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/* The folder of a path, for opening it; freed by the caller. */
char *path_folder(const char *path);

/* Where a write to path ends up: links are followed, so that a link to a file stays a link, be
 * its target there or not. Freed by the caller. */
char *path_resolve(const char *path);

#endif
