import { addressFromBytes, NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { planToken } from '../../../src/modules/mint/rules/plan-token.ts';
import { tokenPowers } from '../../../src/modules/mint/rules/token-powers.ts';
import type { TokenSpec } from '../../../src/modules/mint/rules/token-spec.ts';
import {
  powerSentence,
  problemSentence,
  warningSentence,
} from '../../../src/modules/tokens/chat/token-sentences.ts';

const words = wordsOf('en');
const SOMEBODY = addressFromBytes(new Uint8Array(32).fill(7));
const SPEC: TokenSpec = {
  program: 'token2022',
  name: 'Puppy',
  symbol: 'PUP',
  decimals: 6,
  supply: 1n,
  mintTo: SOMEBODY,
  mintAuthority: true,
  freezeAuthority: true,
  updateAuthority: true,
  extensions: {
    ...NO_SPEC_EXTENSIONS,
    transferFee: { configAuthority: SOMEBODY, withdrawalAuthority: SOMEBODY, bps: 1, maximum: 1n },
    permanentDelegate: SOMEBODY,
    defaultAccountState: 'frozen',
    interest: { authority: SOMEBODY, bps: 1 },
    mintCloseAuthority: SOMEBODY,
    nonTransferable: true,
  },
};

describe('sentences about tokens', () => {
  it('says each power over holders differently, and who has it', () => {
    const powers = tokenPowers(SPEC, SOMEBODY, 'native');
    const sentences = powers.map((power) => powerSentence(power, words).markup);
    expect(powers).toHaveLength(10);
    expect(new Set(sentences).size).toBe(10);
    for (const [index, { holder }] of powers.entries()) {
      if (holder !== null) expect(sentences[index]).toContain(`${SOMEBODY.slice(0, 4)}…`);
    }
  });

  it('says each problem of a request in words, by the field’s own name', () => {
    const plan = planToken({
      payer: 'x',
      symbol: 'ABCDEFGHIJK',
      decimals: 99,
      mintSupply: '0',
      metadata: { extensions: { website: 'ftp://x' } },
      permanentDelegate: 'x',
    });
    const said =
      plan.kind === 'refused' ? plan.problems.map((problem) => problemSentence(problem, words).markup) : [];
    expect(said).toHaveLength(7);
    expect(said.join('\n')).toContain('The symbol may have 10 plain letters at most.');
    expect(said.join('\n')).toContain('The permanent delegate exists for the type token2022 only.');
  });

  it('warns of a token without a name and of one that looks like another', () => {
    const bare = warningSentence({ code: 'NO_METADATA_PROGRAM' }, words).markup;
    const alike = warningSentence({ code: 'LOOKS_LIKE', mint: SOMEBODY }, words).markup;
    expect(bare).toContain('no name on the chain');
    expect(alike).toContain(`${SOMEBODY.slice(0, 4)}…`);
  });
});
