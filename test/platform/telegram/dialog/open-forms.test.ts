import { describe, expect, it } from 'vitest';
import type { BotContext } from '../../../../src/platform/telegram/context.ts';
import { createOpenForms } from '../../../../src/platform/telegram/dialog/open-forms.ts';
import { memoryDialogStore } from '../../../support/chat/memory-dialog-store.ts';

const update = (id: number): BotContext => ({ me: { id: 1 }, from: { id } }) as unknown as BotContext;

describe('forms that read what is typed', () => {
  it('one stands per person, and a later one takes its place', async () => {
    const forms = createOpenForms({ dialogs: memoryDialogStore() });
    await forms.open(update(7), { feature: 'orders', id: 'a' });
    await forms.open(update(7), { feature: 'alerts', id: 'b' });
    expect(await forms.standing(update(7))).toEqual({ feature: 'alerts', id: 'b' });
    expect(await forms.standing(update(8))).toBeNull();
  });

  it('is closed by an update that does not open it anew, and stands after one that does', async () => {
    const forms = createOpenForms({ dialogs: memoryDialogStore() });
    const opening = update(7);
    await forms.open(opening, { feature: 'orders', id: 'a' });
    await forms.settle(opening);
    expect(await forms.standing(update(7))).toEqual({ feature: 'orders', id: 'a' });
    await forms.settle(update(7));
    expect(await forms.standing(update(7))).toBeNull();
    await forms.settle(update(7));
    expect(await forms.standing(update(7))).toBeNull();
  });
});
