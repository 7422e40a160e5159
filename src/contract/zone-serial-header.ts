/** The response header with a domain's serial; after a write, the serial that includes the write (contract rule 36). */
export const ZONE_SERIAL_HEADER = 'Zone-Serial';
