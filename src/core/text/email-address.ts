/** RFC 5321: a path is at most 256 characters with its brackets. */
const MAX_LENGTH = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * One e-mail address in lower case, or null. Quoted names, comments and several addresses are refused: a text that a mail header could read
 * in another way than we do (a line break, a comma, a bracket) never comes near one.
 */
export function emailAddress(text: string): string | null {
  const address = text.trim();
  if (address.length > MAX_LENGTH) return null;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(0, at));
  const labels = address.slice(at + 1).split('.');
  const isAddress =
    at > 0 &&
    local.length <= 64 &&
    LOCAL.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label));
  return isAddress ? address.toLowerCase() : null;
}

/** `a…@example.org`: enough to recognise one's own address by. */
export function shortEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}
