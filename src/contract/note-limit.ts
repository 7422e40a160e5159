/** A sentence or two; stored in every history entry of the change (contract rule 45). */
export const MAX_NOTE_CHARACTERS = 500;
