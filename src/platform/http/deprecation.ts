import type { Deprecation } from '../../modules/market/rules/terms.ts';

/** The headers that announce it to a client, by RFC 9745 and RFC 8594. `links` are further ones of the same answer. */
export function deprecationHeaders(
  { deprecatedAt, sunsetAt }: Deprecation,
  successor: string,
  links: readonly string[] = [],
): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Math.floor(deprecatedAt / 1_000)}`,
    link: [
      '</docs#market-data>; rel="deprecation"; type="text/html"',
      `<${successor}>; rel="successor-version"`,
      ...links,
    ].join(', '),
    ...(sunsetAt === null ? {} : { sunset: new Date(sunsetAt).toUTCString() }),
  };
}
