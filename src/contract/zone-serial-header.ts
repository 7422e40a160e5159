/** The response header with a domain's serial; after a write, the serial that includes the write (contract rule 36). */
export const ZONE_SERIAL_HEADER = 'Zone-Serial';

/** The response header of a domain's history: the serial to which it reaches back (contract rule 46). */
export const HISTORY_START_HEADER = 'History-Start';
