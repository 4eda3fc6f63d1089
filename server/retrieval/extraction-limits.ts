/** More is no document but a data set; it also bounds what one file may cost. In UTF-16 units. */
export const MOST_CHARACTERS = 20_000_000;
