/** The media type of exports with an object in each line (https://github.com/ndjson/ndjson-spec). */
export const JSON_LINES_TYPE = 'application/x-ndjson';
