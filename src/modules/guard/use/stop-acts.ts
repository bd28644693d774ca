import { cancelIntent } from '../../../engine/transactions/use/cancel-intent.ts';
import type { Vault } from '../../../platform/ports/vault.ts';
import type { CancelDeps } from './cancel-waiting.ts';
import type { GuardDeps } from './deps.ts';
import { freezeAccount } from './freeze-account.ts';
import type { StopByMailDeps } from './stop-by-mail.ts';
import { stopChanges } from './stop-changes.ts';

/** What the Stop buttons of the chat call, for the page behind a mail. */
export function stopActs(
  deps: GuardDeps & CancelDeps & { readonly vault: Pick<Vault, 'stopExport'>; readonly nudge: () => void },
): StopByMailDeps['acts'] {
  return {
    changes: async ({ userId }) => {
      await stopChanges(deps, { userId });
      return true;
    },
    freeze: async ({ userId }) => {
      await freezeAccount(deps, { userId });
      return true;
    },
    export: async ({ userId }) => {
      const { stopped } = await deps.vault.stopExport({ userId });
      deps.nudge();
      return stopped;
    },
    withdrawal: async ({ userId, intentId }) =>
      intentId !== null && (await cancelIntent(deps, { intentId, userId })).cancelled,
  };
}
