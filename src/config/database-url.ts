const EXAMPLE = 'postgresql://user:password@host:5432/tradepost';
const ENCODING =
  'In a user name or password write % as %25, / as %2F, @ as %40, : as %3A, # as %23 and ? as %3F, or leave the password out and set POSTGRES_PASSWORD, which takes it as it is.';

/** The fault of a database's URL, null = none. Never holds a part of it: any part may be the password. */
export function databaseUrlProblem(text: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return `expected a URL like ${EXAMPLE}`;
  // One @ ends the password; a / # or ? before it ends the host for some readers of the URL.
  const torn = `its password seems to hold a character that means something in a URL. ${ENCODING}`;
  if (!URL.canParse(text)) return text.includes('@') ? torn : `expected a URL like ${EXAMPLE}`;
  const url = new URL(text);
  if (url.hash !== '' || url.pathname.includes('@') || url.search.includes('@')) return torn;
  // A second @ or : is read as part of the password by some and not by others.
  if ((text.split('?')[0]?.split('@').length ?? 0) > 2) return torn;
  try {
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part);
  } catch {
    return torn;
  }
  return url.hostname === '' && !url.searchParams.has('host') ? `expected a URL like ${EXAMPLE}` : null;
}

/** The URL with the password in it, encoded, where it names none of its own. */
export function withPassword(text: string, password: string | null): string {
  const url = new URL(text);
  if (password === null || url.password !== '') return text;
  url.password = encodeURIComponent(password);
  return url.href;
}
