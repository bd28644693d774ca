/** Of this program, as in package.json: a process writes it beside its sign of life. */
export const VERSION = '0.2.0';
