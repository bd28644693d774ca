import { existsSync, readFileSync } from 'node:fs';
import { type Address, WSOL_MINT } from '@tradepost/solana';
import { VENUE_PROGRAMS } from '@tradepost/venues/forms';
import { describe, expect, it } from 'vitest';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { address } from '../../../src/core/address/address.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { openVenues } from '../../../src/platform/venues/index.ts';

const TOKEN = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

function open(present: readonly Address[], executable = true) {
  const reads: (readonly Address[])[] = [];
  const failures: string[] = [];
  const accounts: Chain['accounts'] = async (addresses) => {
    reads.push(addresses);
    const account = { lamports: 1n, owner: WSOL_MINT, data: new Uint8Array(), executable };
    return { slot: 1n, accounts: addresses.map((one) => (present.includes(one) ? account : null)) };
  };
  const opened = openVenues({
    chain: { accounts, token: async () => null } as Partial<Chain> as Chain,
    programs: createPrograms(),
    deskUrl: null,
    programAccounts: {
      find: async () => {
        throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'rpc', cause: 'down' });
      },
    },
    onRefusal: () => undefined,
    onFailure: (venue) => failures.push(venue),
  });
  return { opened, reads, failures };
}

describe('the venue registry', () => {
  it('opens nothing, and asks once, where the cluster has no exchange program', async () => {
    const { opened, reads } = open([]);
    expect(await opened).toEqual({ venues: [], venuePrograms: [], deployments: [] });
    expect(reads).toHaveLength(1);
  });

  it('opens exactly the exchanges whose program is there, and lets trades name those programs', async () => {
    const { venues, venuePrograms } = await open([raydiumCpmm.programId]).opened;
    expect(venues.map(({ name }) => name)).toEqual(['raydium-cpmm']);
    expect(venuePrograms).toEqual([raydiumCpmm.programId]);
  });

  it('has the programs of all of them in the list of the signer, who reaches no exchange', async () => {
    const { venues, venuePrograms } = await open(VENUE_PROGRAMS).opened;
    expect(venuePrograms.toSorted()).toEqual(VENUE_PROGRAMS.toSorted());
    const { reads } = open([]);
    expect(reads[0]?.toSorted()).toEqual(VENUE_PROGRAMS.toSorted());
    expect(venues).toHaveLength(VENUE_PROGRAMS.length);
  });

  it('has a row in docs/venues.md for each, and a test that feeds its pools', async () => {
    const { venues } = await open(VENUE_PROGRAMS).opened;
    const docs = readFileSync(new URL('../../../docs/venues.md', import.meta.url), 'utf8');
    const names = venues.map(({ name }) => name);
    expect(names.filter((name) => !docs.includes(`\n| \`${name}\` | `))).toEqual([]);
    const tests = new URL('../../../packages/venues/test/', import.meta.url);
    const tested = (name: string) => existsSync(new URL(`${name}/pool.test.ts`, tests));
    expect(names.filter((name) => !tested(name))).toEqual([]);
  });

  it('takes an account that is no program for none', async () => {
    expect((await open([raydiumCpmm.programId], false).opened).venues).toEqual([]);
  });

  it('reports a venue that cannot answer and passes the failure on', async () => {
    const { opened, failures } = open([raydiumCpmm.programId]);
    const { venues } = await opened;
    await expect(venues[0]?.pools(WSOL_MINT, TOKEN)).rejects.toThrow('CHAIN_UNREACHABLE');
    expect(failures).toEqual(['raydium-cpmm']);
  });
});
