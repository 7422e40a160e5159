/** The response header with a domain's serial: with the write in it where the request was one (contract rule 36). */
export const zoneSerialHeader = 'Zone-Serial';
