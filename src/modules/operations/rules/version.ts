/** Of this program, as in package.json: what a process writes beside its sign of life. */
export const VERSION = '0.2.0';
