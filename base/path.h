/* base/path: where paths lead. Private to base/. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

/* The folder of a path, for opening it; freed by the caller. */
char *path_folder(const char *path);

/* Path of the file that a write to path changes: links are followed, so that a link stays one, even
 * to a target that does not exist yet. Freed by the caller. */
char *path_resolve(const char *path);

#endif
