import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import type { Guard } from '../guard/index.ts';
import { backupFeature } from './chat/backup.ts';
import { homeFeature } from './chat/home.ts';
import { walletsFeature } from './chat/index.ts';
import { isBackupText } from './rules/backup-text.ts';
import { assertPassphrase } from './rules/passphrase.ts';
import { createAgreedFunds } from './use/agreed-funds.ts';
import { assertMayAskKey, exportCalls, openExport } from './use/key-exports.ts';
import { ownWallet } from './use/own-wallet.ts';
import { importWallet } from './use/wallet-backups.ts';

/** Wallets of people: their funds, and their keys on the way in and out. */
export function createWallets(
  world: World,
  { relay, guard }: { readonly relay: Relay; readonly guard: Guard },
) {
  const { db, chain, clock, pause, vault } = world;
  const { deps } = guard;
  const { mayAct } = guard.verbs;
  return {
    /** The holdings of wallets, as screens show them. */
    funds: createAgreedFunds({ chain, clock, pause }),
    assertMaySwitch: async (input: { readonly userId: string; readonly walletId: string }) =>
      mayAct({ act: guard.switchActOf(await ownWallet(db.wallets, input)), userId: input.userId }),
    backups: {
      assertPassphrase,
      isBackupFile: isBackupText,
      hashPassphrase: (userId: string, text: string) => vault.draft({ userId, text }),
      samePassphrase: (userId: string, draft: string, text: string) =>
        vault.isDrafted({ userId, draft, text }),
      openExport: bind(openExport, deps),
      assertMayAskKey: bind(assertMayAskKey, deps),
      ...exportCalls({ vault, nudge: () => relay.nudge() }),
      /** Throws the refusal that an import would meet now, before the PIN and the key are asked. */
      assertMayImport: (userId: string) => mayAct({ act: 'wallet-import', userId }),
      permitImport: (input: { readonly userId: string; readonly pin: string }) =>
        guard.givePermit({ ...input, act: 'wallet-import' }),
      importWallet: async (input: Parameters<typeof importWallet>[1]) => {
        const wallet = await importWallet(deps, input);
        relay.nudge();
        return wallet;
      },
    },
  };
}

/** The parts that it plugs in. */
export const walletsModule = {
  name: 'wallets',
  features: [homeFeature, walletsFeature, backupFeature],
} satisfies Module;
