#ifdef __linux__
#include <sys/prctl.h>
#endif

/// Makes this process the parent of whatever its children leave behind, in init's place. prctl() is variadic, which
/// Swift can't call. Source: PR_SET_CHILD_SUBREAPER(2const).
static inline int process_adopts_orphans(void) {
#ifdef __linux__
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#else
    return 0;
#endif
}
