import { type Address, NO_TOKEN_POWERS, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { address } from '../../src/core/address/address.ts';
import { AppError } from '../../src/core/errors/app-error.ts';
import { tokenDocument } from '../../src/modules/mint/rules/token-document.ts';
import type { TokenOrigin } from '../../src/modules/passport/rules/passport.ts';
import { loadPassport, type PassportDeps } from '../../src/modules/passport/use/load-passport.ts';
import { createPictures } from '../../src/platform/pictures/create-pictures.ts';
import type { TokenRecord } from '../../src/platform/ports/token-records.ts';
import { fakeMetadataStore } from '../support/fakes/metadata-store.ts';
import { buildSite, OPEN } from './build-site.ts';

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const ALICE = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const HOSTILE = `<script>alert('1')</script>"onload="alert(2)`;
const proof = { signature: '5VERYlongSIGNATURE', at: Date.UTC(2026, 10, 21) };

const record = (uri: string, words = { name: 'Puppy', symbol: 'PUP' }): TokenRecord => ({
  token: {
    mint: MINT,
    tokenProgram: TOKEN_2022_PROGRAM,
    decimals: 6,
    supply: 1_000_000_000_500_000n,
    ...words,
    mintAuthority: null,
    freezeAuthority: ALICE,
    extensions: {
      ...NO_TOKEN_POWERS,
      transferFee: {
        authority: ALICE,
        older: { bps: 250, maximum: 1n },
        newer: { bps: 250, maximum: 1n },
        newerEpoch: 0n,
      },
      permanentDelegate: ALICE,
    },
  },
  slot: 99n,
  metadata: { kind: 'token-2022', uri, updateAuthority: ALICE },
  feeCollector: ALICE,
  interest: null,
  pauser: null,
});

const origin: TokenOrigin = {
  creator: ALICE,
  hasBadge: false,
  created: proof,
  uri: '',
  metadataHash: null,
  revocations: { mint: proof },
  launch: null,
  otherTokens: [{ mint: ALICE, symbol: HOSTILE, name: 'x' }],
};

let site: ReturnType<typeof buildSite> | null = null;
afterEach(() => site?.app.close());

function open(
  deps: Partial<PassportDeps> & { readonly find?: (mint: Address) => Promise<TokenRecord | null> },
) {
  const metadata = deps.metadata ?? fakeMetadataStore();
  site = buildSite(OPEN, {
    site: {
      metadata,
      pictures: createPictures(),
      charts: { candles: async () => new Uint8Array() },
      round: async () => null,
      publicUrl: () => 'https://desk.example',
      tokenPictures: async () => new Map(),
      history: async () => null,
      pauses: async () => [],
      tradingFigures: async () => ({ sources: [], verdicts: [] }),
      passport: (mint) =>
        loadPassport(
          {
            records: { find: deps.find ?? (async () => null) },
            chain: { epoch: async () => 5n },
            wellKnown: [],
            origin: async () => null,
            launch: async () => null,
            revocations: async () => ({}),
            ...deps,
            metadata,
          },
          mint,
        ),
    },
  });
  return site.app;
}

describe('the passport page', () => {
  it('says what the mint lets its authors do, with proofs of what was given up', async () => {
    const app = open({
      find: async () => record('https://elsewhere.example/x.json'),
      origin: async () => origin,
      launch: async () => ({ pad: 'Desk Curve', percent: 42, graduated: false }),
    });
    const answer = await app.inject({ url: `/token/${MINT}` });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const words of [
      '<h1>PUP</h1>',
      '1,000,000,000.5 · 6 decimals · Token-2022',
      'No more can ever be made. <span class="soft">2026-11-21 · <span class="addr"><code title="5VERYlongSIGNATURE">5VER…TURE</code>',
      '9WzD…AWWM can freeze the accounts of holders.',
      '9WzD…AWWM can change its name, link and picture.',
      '9WzD…AWWM can take or burn this token out of any wallet.',
      'Each transfer costs 2.5 % of the amount.',
      'class="level BLOCK"',
      'Desk Curve · 42 % of the curve',
      'The document is kept elsewhere',
      'at slot 99',
    ]) {
      expect(answer.body).toContain(words);
    }
  });

  it('runs this site’s own files only, loads nothing from elsewhere, and cannot be framed', async () => {
    const app = open({ find: async () => record('') });
    const answer = await app.inject({ url: `/token/${MINT}` });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).not.toMatch(/unsafe|data:|https?:/);
    expect(policy).toContain("script-src 'self'");
    expect(answer.body).not.toMatch(/<script(?! src="\/assets\/)|style="/);
    expect(answer.body).toContain('name="viewport"');
  });

  it('escapes whatever a token is called, says and links to', async () => {
    const metadata = fakeMetadataStore();
    const { uri } = await metadata.put(
      'json',
      new TextEncoder().encode(
        JSON.stringify({
          description: HOSTILE,
          image: 'javascript:alert(1)',
          extensions: { website: `https://x.example/${HOSTILE}`, twitter: 'javascript:alert(1)' },
        }),
      ),
    );
    const app = open({
      metadata,
      find: async () => record(uri, { name: HOSTILE, symbol: HOSTILE.slice(0, 12) }),
      origin: async () => origin,
    });
    const { body } = await app.inject({ url: `/token/${MINT}` });
    expect(body).not.toMatch(/<script(?! src="\/assets\/)/i);
    expect(body).not.toMatch(/="[^"]*"onload/);
    expect(body).not.toContain('javascript:');
    expect(body).toContain('&lt;script&gt;alert(&#39;1&#39;)');
  });

  it('shows the document that it stores, with its hash and its own picture', async () => {
    const metadata = fakeMetadataStore();
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const image = await metadata.put('png', picture);
    const text = tokenDocument({
      name: 'Puppy',
      symbol: 'PUP',
      metadata: { description: 'A dog', imageUri: image.uri, extensions: { website: 'https://pup.example' } },
    });
    const { uri, sha256 } = await metadata.put('json', new TextEncoder().encode(text));
    const app = open({ metadata, find: async () => record(uri) });
    const { body } = await app.inject({ url: `/token/${MINT}` });
    expect(body).toContain(`<img src="/images/${image.sha256}.png"`);
    expect(body).toContain(`The document can never change. SHA-256 <code>${sha256}</code>`);
    expect(body).toContain('href="https://pup.example"');
    expect(body).toContain('<p>A dog</p>');
  });

  it('finds the document of a link that names no hash by the note of its making, until the link changes', async () => {
    const metadata = fakeMetadataStore();
    const { sha256 } = await metadata.put('json', new TextEncoder().encode('{"description":"pinned"}'));
    const pinned = { ...origin, uri: 'ipfs://bafy', metadataHash: sha256 };
    const at = async (uri: string) => {
      const app = open({ metadata, find: async () => record(uri), origin: async () => pinned });
      const { body } = await app.inject({ url: `/token/${MINT}` });
      await app.close();
      return body.includes('pinned');
    };
    expect([await at('ipfs://bafy'), await at('ipfs://other')]).toEqual([true, false]);
  });

  it.each([
    ['/token/hello', 400, 'Not an address'],
    [`/token/${MINT}`, 404, 'No such token'],
    ['/token/%3Cscript%3E', 400, 'Not an address'],
  ])('answers %s with %i', async (url, status, title) => {
    const answer = await open({}).inject({ url });
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain(`<h1>${title}</h1>`);
    expect(answer.body).not.toMatch(/<script(?! src="\/assets\/)/);
  });

  it('asks for patience when the chain does not answer', async () => {
    const down = () =>
      Promise.reject(new AppError('CHAIN_UNREACHABLE', { endpoint: 'http://secret', cause: 'x' }));
    const app = open({ find: down });
    const page = await app.inject({ url: `/token/${MINT}` });
    expect([page.statusCode, page.body.includes('secret')]).toEqual([503, false]);
    const json = await app.inject({ url: `/token/${MINT}.json` });
    expect(json.json<{ error: object }>().error).toMatchObject({ code: 'UPSTREAM_FAILED', retryable: true });
  });
});

describe('the passport for programs', () => {
  it('holds the same facts, amounts as text', async () => {
    const app = open({ find: async () => record('ar://x'), origin: async () => origin });
    const answer = await app.inject({ url: `/token/${MINT}.json` });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.json<{ data: object }>().data).toMatchObject({
      mint: MINT,
      program: 'token2022',
      supply: '1000000000500000',
      safety: 'BLOCK',
      authorities: {
        mint: { holder: null, revoked: { signature: proof.signature, at: '2026-11-21T00:00:00.000Z' } },
        freeze: { holder: ALICE, revoked: null },
      },
      metadata: { kind: 'token-2022', uri: 'ar://x', mutable: true, sha256: null },
      creator: { address: ALICE, badge: false, otherTokens: [{ mint: ALICE }] },
      launch: null,
      slot: '99',
    });
  });
});

describe('the badge of a creator', () => {
  it('stands on page, facts and card of who has it, beside the sentence that it is no check of the token', async () => {
    const seen = async (hasBadge: boolean) => {
      const app = open({ find: async () => record('ar://x'), origin: async () => ({ ...origin, hasBadge }) });
      const page = await app.inject({ url: `/token/${MINT}` });
      const facts = await app.inject({ url: `/token/${MINT}.json` });
      const card = await app.inject({ url: `/token/${MINT}.png` });
      await app.close();
      const { creator } = facts.json<{ data: { creator: { badge: boolean } } }>().data;
      return { star: page.body.includes('★'), body: page.body, badge: creator.badge, card: card.rawPayload };
    };
    const [without, with_] = [await seen(false), await seen(true)];
    expect([without.star, without.badge]).toEqual([false, false]);
    expect([with_.star, with_.badge]).toEqual([true, true]);
    expect(with_.body).toContain('bought with points. It says nothing about the token.');
    expect(with_.card.equals(without.card)).toBe(false);
  });
});

describe('the picture card', () => {
  it('is a PNG to share, the same one while nothing changes', async () => {
    const app = open({ find: async () => record('') });
    const answer = await app.inject({ url: `/token/${MINT}.png` });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 1_200, height: 630 });
    const again = await app.inject({
      url: `/token/${MINT}.png`,
      headers: { 'if-none-match': String(answer.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  it('is JSON when there is nothing to draw', async () => {
    const answer = await open({}).inject({ url: `/token/${MINT}.png` });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
  });
});
