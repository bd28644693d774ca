/** Shorter parts of an address are no keys, and would be found in many answers. */
const SHORTEST = 6;
const STRING = /"(?:[^"\\]|\\.)*"/g;
const REMOVED = '[removed]';

/**
 * Takes out of JSON text each part of these addresses that can be a key: user, password, pieces of the path, values of the query. Nodes
 * repeat them in refusals. Only texts are changed, so that the JSON stays valid.
 */
export function withoutSecrets(urls: readonly string[]): (json: string) => string {
  const secrets = [...new Set(urls.flatMap(secretsOf))].toSorted((a, b) => b.length - a.length);
  return (json) => {
    const found = secrets.filter((secret) => json.includes(secret));
    if (found.length === 0) return json;
    return json.replaceAll(STRING, (text) =>
      found.reduce((left, secret) => left.replaceAll(secret, REMOVED), text),
    );
  };
}

function secretsOf(url: string): readonly string[] {
  const { username, password, pathname, searchParams } = new URL(url);
  const written = [username, password, ...pathname.split('/'), ...searchParams.values()];
  const forms = written.flatMap((text) => [text, decoded(text), encodeURIComponent(text)]);
  // As a node writes them in JSON.
  return forms.map((text) => JSON.stringify(text).slice(1, -1)).filter(({ length }) => length >= SHORTEST);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
