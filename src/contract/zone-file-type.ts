/** The media type of zone files (RFC 4027). */
export const ZONE_FILE_TYPE = 'text/dns; charset=utf-8';
