const MOST_CHARACTERS = 2_048;

/** Which addresses a webhook may have here. */
export type TargetRule = {
  /** On the local chain: `http`, and addresses of this machine. */
  readonly allowsLoopback: boolean;
  /** Names under which this service itself is reached. */
  readonly ownHosts: readonly string[];
};

/** The address of a webhook, or why it cannot be one. Where its name leads is not looked at here. */
export function readTarget(text: string, { allowsLoopback, ownHosts }: TargetRule): URL | string {
  if (text.length > MOST_CHARACTERS) return `expected at most ${MOST_CHARACTERS} characters`;
  if (!URL.canParse(text)) return 'expected a web address such as https://example.org/hooks';
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' && allowsLoopback;
  if (url.protocol !== 'https:' && !isHttp) return 'expected an address that begins with https://';
  if (url.username !== '' || url.password !== '') return 'expected an address without a name or a password';
  if (url.hash !== '') return 'expected an address without a fragment (#…)';
  if (!allowsLoopback && ownHosts.includes(url.hostname))
    return 'expected an address of yours; this service does not call itself';
  return url;
}
