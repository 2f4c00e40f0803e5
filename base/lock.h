/* base/lock: locks that may be held where work is given up (base/base.h). */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

/* pthread's. A guard that is given up gives back the locks that its threads hold; who gets one then
 * gives up too, as what the lock guards may have been left half done. Locks are given back in the
 * reverse order, at most eight are held by a thread at once. */
void base_lock(pthread_mutex_t *mutex);
void base_unlock(pthread_mutex_t *mutex);

#endif
