/** The media type of master files (RFC 4027). */
export const zoneFileType = 'text/dns; charset=utf-8';
