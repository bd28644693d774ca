import { expectTypeOf, it } from 'vitest';
import type { Passed } from '../../../src/modules/guard/rules/passed.ts';
import type { Stores } from '../../../src/platform/ports/stores.ts';

/** What a method of a store takes first. */
type First<S extends keyof Stores, M extends keyof Stores[S]> = Stores[S][M] extends (
  first: infer F,
  ...rest: never[]
) => unknown
  ? F
  : never;

it('what moves, diverts, exposes or hides money takes the pass of its own act and of no other', () => {
  expectTypeOf<First<'wallets', 'insert'>>().toEqualTypeOf<
    Passed<'wallet-make' | 'wallet-import' | 'operator' | 'service'>
  >();
  expectTypeOf<First<'wallets', 'rename'>>().toEqualTypeOf<Passed<'wallet-rename' | 'wallet-restore'>>();
  expectTypeOf<First<'wallets', 'setDeletedAt'>>().toEqualTypeOf<
    Passed<'wallet-delete' | 'wallet-delete-holding' | 'wallet-restore'>
  >();
  expectTypeOf<First<'wallets', 'letReceive'>>().toEqualTypeOf<Passed<'wallet-confirm' | 'payout-wallet'>>();
  expectTypeOf<First<'addressBook', 'insert'>>().toEqualTypeOf<Passed<'address-add' | 'withdraw'>>();
  expectTypeOf<First<'addressBook', 'rename'>>().toEqualTypeOf<Passed<'address-add' | 'withdraw'>>();
  expectTypeOf<First<'addressBook', 'remove'>>().toEqualTypeOf<
    Passed<'address-remove' | 'withdrawal-stop'>
  >();
  expectTypeOf<First<'users', 'activate'>>().toEqualTypeOf<
    Passed<
      | 'wallet-switch'
      | 'wallet-switch-imported'
      | 'wallet-make'
      | 'wallet-import'
      | 'wallet-restore'
      | 'wallet-delete'
      | 'wallet-delete-holding'
      | 'operator'
    >
  >();
  expectTypeOf<First<'orders', 'insert'>>().toEqualTypeOf<Passed<'order-place'>>();
  expectTypeOf<First<'orders', 'write'>>().toEqualTypeOf<
    Passed<'order-edit' | 'order-resume' | 'order-stop' | 'order-fire' | 'service'>
  >();
  expectTypeOf<First<'referrals', 'rename'>>().toEqualTypeOf<Passed<'referral-code'>>();
  expectTypeOf<First<'apiKeys', 'insert'>>().toEqualTypeOf<
    Passed<'api-key-claim' | 'api-key-rotate' | 'operator' | 'service'>
  >();
  expectTypeOf<First<'apiKeys', 'replace'>>().toEqualTypeOf<Passed<'api-key-rotate' | 'operator'>>();
  expectTypeOf<First<'apiKeys', 'revoke'>>().toEqualTypeOf<
    Passed<'api-key-revoke' | 'api-key-rotate' | 'operator' | 'service'>
  >();
  expectTypeOf<First<'exports', 'insert'>>().toEqualTypeOf<Passed<'export-ask'>>();
});

it('a pass of one act opens no store of another', () => {
  expectTypeOf<Passed<'wallet-make'>>().toExtend<First<'wallets', 'insert'>>();
  expectTypeOf<Passed<'wallet-rename'>>().not.toExtend<First<'wallets', 'insert'>>();
  expectTypeOf<Passed<'buy'>>().not.toExtend<First<'orders', 'insert'>>();
  expectTypeOf<Passed<'order-place'>>().not.toExtend<First<'orders', 'write'>>();
  expectTypeOf<Passed<'settings'>>().not.toExtend<First<'users', 'activate'>>();
  expectTypeOf<{ act: 'order-place'; userId: string }>().not.toExtend<First<'orders', 'insert'>>();
});

it('another wallet is chosen by its own method alone, which takes the pass', () => {
  type Patch = Parameters<Stores['users']['update']>[1];
  expectTypeOf<keyof Patch>().toEqualTypeOf<
    'firstName' | 'telegramLanguage' | 'settings' | 'screenMessageId' | 'blockedAt'
  >();
});
