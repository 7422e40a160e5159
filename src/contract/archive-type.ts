/** A compressed tar archive (RFC 6713). */
export const ARCHIVE_TYPE = 'application/gzip';
