/** A request as a reference page prints it. */
export type Printed = {
  readonly method: string;
  /** With `:name` for the fields of the path. */
  readonly path: string;
  readonly pathFields: readonly string[];
  readonly in: 'body' | 'query';
  readonly example: Readonly<Record<string, unknown>>;
  readonly isKeyed: boolean;
  /** By a personal key, in the place of a key of the API. */
  readonly isSigned: boolean;
  readonly streams: boolean;
};

/** Variables of the shell for values that differ between clusters and accounts, by the field's name. */
const VARIABLES: Readonly<Record<string, string>> = {
  userWalletAddress: 'WALLET',
  payer: 'WALLET',
  toTokenAddress: 'MINT',
  mint: 'MINT',
  mints: 'MINT',
  address: 'MARKET',
  market: 'MARKET',
  signature: 'SIGNATURE',
  transaction: 'TRANSACTION',
  submitToken: 'SUBMIT_TOKEN',
  url: 'HOOK',
  id: 'WEBHOOK',
  orderId: 'ORDER',
  tradeId: 'TRADE',
};

/** A shell cannot sign: the guide on signatures makes these values. */
const SIGNED_HEADERS = [
  '-H "content-digest: $CONTENT_DIGEST"',
  '-H "signature-input: $SIGNATURE_INPUT"',
  '-H "signature: $REQUEST_SIGNATURE"',
];

/** The names that a block needs, in order: `OPEN` or `KEYED` and `KEY` first. */
export function variablesOf(block: string): readonly string[] {
  return [...new Set([...block.matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name))];
}

/**
 * The example of an operation as a command of a shell. It runs as it is printed once its variables are set: values that differ between
 * clusters are variables, and nothing else in it means anything to a shell.
 */
export function curlOf(printed: Printed): string {
  const { method, path, pathFields, in: place, example, isKeyed, isSigned, streams } = printed;
  const filled = pathFields.reduce(
    (text, name) => text.replace(`:${name}`, written(name, example[name], encodeURIComponent)),
    path,
  );
  const rest = Object.entries(example).filter(([name]) => !pathFields.includes(name));
  const query =
    place === 'body' || rest.length === 0
      ? ''
      : `?${rest.map(([name, value]) => `${name}=${written(name, value, encodeURIComponent)}`).join('&')}`;
  return [
    `curl -s${streams ? ' --max-time 2' : ''}${method === 'GET' ? '' : ` -X ${method}`} "$${isKeyed ? 'KEYED' : 'OPEN'}${filled}${query}"`,
    ...(isSigned ? SIGNED_HEADERS : isKeyed ? ['-H "x-api-key: $KEY"'] : []),
    ...(place === 'body' ? [`-H 'content-type: application/json' -d "${bodyOf(example)}"`] : []),
  ].join(' \\\n  ');
}

function written(name: string, value: unknown, write: (text: string) => string): string {
  const variable = VARIABLES[name];
  return variable === undefined ? write(String(value)) : `$${variable}`;
}

function bodyOf(example: Printed['example']): string {
  const named = Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const variable = VARIABLES[name];
      if (variable === undefined) return [name, value];
      return [name, Array.isArray(value) ? [`\u0000${variable}`] : `\u0000${variable}`];
    }),
  );
  return JSON.stringify(named, null, 2)
    .replaceAll(/["\\$`]/g, '\\$&')
    .replaceAll('\\\\u0000', '$');
}
