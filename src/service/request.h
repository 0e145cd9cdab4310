/* request.h -- makes a spec from a request of ours. */
#ifndef CUPEL_SERVICE_REQUEST_H
#define CUPEL_SERVICE_REQUEST_H

struct cupel_error;
struct cupel_spec;
struct vessel_request;

/* request_build -- the spec of a run that we make ourselves.
 *
 * @ret		dropped by the caller with spec_handle_drop()
 * Returns 0 or -errno: our own request was wrong. */
int request_build(const struct vessel_request *req, struct cupel_spec **ret,
		  struct cupel_error *err);

#endif
