import { readFileSync } from 'node:fs';
import { LAMPORTS_PER_SIGNATURE, SOL_DECIMALS } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { formatUnits } from '../../../src/core/amounts/decimal.ts';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { mintCost } from '../../../src/modules/mint/rules/mint-cost.ts';
import { planToken } from '../../../src/modules/mint/rules/plan-token.ts';
import type { TokenDraft } from '../../../src/modules/mint/rules/token-draft.ts';
import { metadataPath } from '../../../src/platform/ports/metadata-store.ts';

const CREATOR = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const URI = `https://desk.example.org${metadataPath('0'.repeat(64), 'json')}`;
/** Mainnet's rent for two years: 3,480 lamports per byte and year, 128 bytes of overhead. Source of truth: solana `Rent::default`. */
const rentExemption = async (bytes: number): Promise<bigint> => BigInt(128 + bytes) * 3_480n * 2n;
/** The payer's and the mint's. */
const SIGNATURES = 2n;

const TOKENS: readonly (readonly [string, Partial<TokenDraft>])[] = [
  ['SPL Token, Metaplex record', { program: 'token' }],
  ['Token-2022', { program: 'token2022' }],
  [
    'Token-2022 with a transfer fee',
    {
      program: 'token2022',
      transferFeeConfigAuthority: CREATOR,
      transferFeeWithdrawalAuthority: CREATOR,
      transferFeeBps: 100,
      transferFeeMax: '1000000',
    },
  ],
];

const sol = (lamports: bigint): string => formatUnits(lamports, SOL_DECIMALS);

async function row(what: string, draft: Partial<TokenDraft>): Promise<string> {
  const plan = planToken({ payer: CREATOR, symbol: 'PUP', name: 'Puppy', metadataUri: URI, ...draft });
  if (plan.kind === 'refused') throw new Error(JSON.stringify(plan.problems));
  const { spec } = plan.token;
  const way = spec.program === 'token' ? 'metaplex' : 'native';
  const cost = await mintCost(spec, { way, uri: URI, creator: CREATOR, rentExemption });
  const networkLamports = SIGNATURES * LAMPORTS_PER_SIGNATURE;
  const api = cost.rentLamports + cost.metadataFeeLamports + networkLamports;
  const cells = [
    cost.rentLamports,
    cost.metadataFeeLamports,
    networkLamports,
    api,
    api + feesOf()(Date.UTC(2026, 10, 21)).createLamports,
  ];
  return `| ${[what, ...cells.map(sol)].join(' | ')} |`;
}

it('docs/token-costs.md says what the planner computes', async () => {
  const page = readFileSync(new URL('../../../docs/token-costs.md', import.meta.url), 'utf8');
  const rows = await Promise.all(TOKENS.map(([what, draft]) => row(what, draft)));
  const head = '| token | rent | Metaplex fee | network | through `POST /token` | in the chat |';
  const table = [head, '|---|---|---|---|---|---|', ...rows].join('\n');
  expect(page, `expected this table in docs/token-costs.md:\n${table}`).toContain(table);
});
