/* listing.h -- reads the report of an analyser that is one JSON document.
 *
 * Its shape shows whose it is:
 *   pylint      --output-format=json: a list of messages with message-id
 *   pylint      --output-format=json2: an object with messages and statistics
 *   flake8      --format=json (flake8-json): lists of messages by file
 *   eslint      --format json: a list of files with filePath and messages
 * Sources: pylint/reporters/json_reporter.py, the README of flake8-json,
 * eslint.org/docs/latest/use/formatters. */
#ifndef CUPEL_JOBS_CONFIRM_LISTING_H
#define CUPEL_JOBS_CONFIRM_LISTING_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

struct listing;

/* listing_find -- which of these reports doc is, or NULL. */
const struct listing *listing_find(const struct json_value *doc);

/* listing_read -- append each message, numbered from 1 over the whole document;
 * a message that is wrong becomes a fault.
 *
 * @rules	outlive ret
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0; -ENOMEM: no memory, or over FLAGS_MEMORY. */
int listing_read(const struct listing *l, const struct json_value *doc,
		 const struct rules *rules, struct flags *ret);

#endif
