/* base/parallel: tasks side by side, by OpenMP. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

/* Runs task(data, k) for k = 0 .. tasks-1 by at most `threads` threads, the caller among them, and
 * returns when all tasks have ended. Where there is a thread for each task, task 0 is the caller's;
 * else each idle thread takes the next task. The system may grant fewer threads, down to the caller
 * alone, so a task must never wait for another.
 *
 * All tasks are under the guard of the caller (base_join): when one gives up, the others do so at
 * their next look, and then the caller. They have the caller's locale. May be called from within a
 * task, from several threads at once, and after a fork. Steps of a task (base_work_done) count for
 * its thread. */
void base_parallel(int threads, int tasks, void (*task)(void *data, int k), void *data);

/* Default number of threads: OMP_NUM_THREADS, else base_processors(). */
int base_threads(void);

#endif
