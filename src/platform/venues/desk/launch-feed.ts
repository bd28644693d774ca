import {
  type ChainAccount,
  minBigint,
  mulDivFloor,
  readTokenAccount,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { type CurveLook, type LaunchEvent, type LaunchReads, looksAt, type PadFeed } from '@tradepost/venues';
import type { Programs } from '../../ports/programs.ts';
import type { TransactionSource } from '../../ports/transaction-source.ts';
import { transactionsNaming } from '../transactions-naming.ts';
import { createDeskClient } from './desk-client.ts';

/**
 * Launches at the demonstration desk of the local chain, by its own list; the mint's first transaction says who made it and when. A curve
 * of the desk goes on as a pool when it is complete: its market stays the same.
 */
export function createDeskFeed(
  reads: Pick<LaunchReads, 'chain'> & {
    readonly source: Pick<TransactionSource, 'read'>;
    readonly programs: Pick<Programs, 'associatedTokenAddress'>;
    readonly deskUrl: string;
  },
): PadFeed {
  const client = createDeskClient(reads.deskUrl);
  return {
    pad: 'desk',
    label: 'Desk Launch',
    events: async ({ upTo }, isKnown) => {
      const curves = (await client.pools()).filter(
        ({ kind, mintA }) => kind === 'launch-curve' && !isKnown(mintA),
      );
      const found: LaunchEvent[] = [];
      for (const { id, mintA } of curves) {
        const [first] = (await transactionsNaming(reads.source, mintA, { after: 0n, upTo })).filter(
          ({ failed }) => !failed,
        );
        const creator = first?.signers[0];
        // The node is a slot behind the desk: the next round finds it.
        if (first === undefined || creator === undefined) continue;
        const { signature, slot, at } = first;
        const made = { mint: mintA, curve: id, config: null, creator, signature, slot, at: at * 1_000 };
        found.push({ kind: 'created', ...made });
      }
      return found;
    },
    states: async (curves) => {
      const { graduationLamports } = await client.launchTerms();
      const vaultOf = ({ curve }: { readonly curve: (typeof curves)[number]['curve'] }) =>
        reads.programs.associatedTokenAddress(curve, WSOL_MINT, TOKEN_PROGRAM);
      const { slot, looks } = await looksAt(
        reads,
        curves,
        (curve) => [vaultOf(curve), curve.mint],
        (accounts) => lookAtDeskCurve(accounts, graduationLamports),
      );
      return {
        slot,
        looks: looks.map((look, index) => {
          const curve = curves[index]?.curve ?? null;
          return typeof look === 'object' && look.complete ? { ...look, moved: { pool: curve } } : look;
        }),
      };
    },
  };
}

function lookAtDeskCurve(
  [vault = null, mint = null]: readonly (ChainAccount | null)[],
  graduationLamports: bigint,
): CurveLook {
  if (vault === null || mint === null) return 'absent';
  const raised = readTokenAccount(vault)?.amount ?? null;
  if (raised === null) return 'unknown';
  const soldBps = Number(minBigint(10_000n, mulDivFloor(raised, 10_000n, graduationLamports)));
  return { soldBps, complete: raised >= graduationLamports, moved: null };
}
