/** Reads a whole number from an option. Throws a RangeError that names the option, the range and the given value. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
  throw new RangeError(`--${option}: expected a whole number from ${least} to ${most}, got "${text}"`);
}

/** The same for a command line: the error goes to stderr and ends the process with 2. */
export function wholeOption(option: string, text: string, least: number, most: number): number {
  try {
    return wholeNumber(option, text, least, most);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}
