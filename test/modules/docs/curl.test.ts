import { expect, it } from 'vitest';
import { curlOf, type Printed, variablesOf } from '../../../src/modules/docs/rules/curl.ts';

const printed = (more: Partial<Printed>): Printed => ({
  method: 'GET',
  path: '/dex/quote',
  pathFields: [],
  in: 'query',
  example: {},
  isKeyed: false,
  isSigned: false,
  streams: false,
  ...more,
});

it('asks with a query, with the fields of the path filled in', () => {
  const block = curlOf(
    printed({
      path: '/markets/:address/candles',
      pathFields: ['address'],
      example: { address: '8sLb', resolution: '1D', q: '$PUP & more' },
      isKeyed: true,
    }),
  );
  expect(block).toBe(
    'curl -s "$KEYED/markets/$MARKET/candles?resolution=1D&q=%24PUP%20%26%20more" \\\n  -H "x-api-key: $KEY"',
  );
  expect(variablesOf(block)).toEqual(['KEYED', 'MARKET', 'KEY']);
});

it('sends a body in which nothing but its variables means anything to a shell', () => {
  const block = curlOf(
    printed({
      method: 'POST',
      path: '/x',
      in: 'body',
      example: { payer: 'a', name: '"$(id)`\\', mints: ['b'] },
    }),
  );
  expect(block).toBe(
    'curl -s -X POST "$OPEN/x" \\\n  -H \'content-type: application/json\' -d "{\n  \\"payer\\": \\"$WALLET\\",\n  \\"name\\": \\"\\\\\\"\\$(id)\\`\\\\\\\\\\",\n  \\"mints\\": [\n    \\"$MINT\\"\n  ]\n}"',
  );
});

it('ends a stream after two seconds', () => {
  expect(curlOf(printed({ path: '/stream', streams: true }))).toBe('curl -s --max-time 2 "$OPEN/stream"');
});

it('of a signed request has the three headers of its signature, and no key of the API', () => {
  const block = curlOf(printed({ path: '/desk/orders', isKeyed: true, isSigned: true }));
  expect(block).not.toContain('x-api-key');
  expect(variablesOf(block)).toEqual(['KEYED', 'CONTENT_DIGEST', 'SIGNATURE_INPUT', 'REQUEST_SIGNATURE']);
});
