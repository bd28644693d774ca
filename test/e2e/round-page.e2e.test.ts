import { expect, it } from 'vitest';
import { settledRound, siteOfRound } from '../api/settled-round.ts';
import { describeInBrowser, openPage } from './support/browser.ts';

describeInBrowser('The page of a round', () => {
  it('checks the round in the browser under its own policy, and sees a commitment that was exchanged', async () => {
    const round = settledRound();
    const app = siteOfRound(round);
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { page, watch, close } = await openPage(`${url}/games/${round.id}`);
    try {
      const verdict = page.locator('#verdict');
      await verdict.getByText('Everything follows from the commitment').waitFor();
      await page.getByText('Show the arithmetic').click();
      await page.getByLabel('Commitment, shown before the bet').fill('ab'.repeat(32));
      await page.getByRole('button', { name: 'Check again' }).click();
      await verdict.getByText('THIS ROUND WAS NOT FAIR').waitFor();
      expect(watch.problems).toEqual([]);
    } finally {
      await close();
      await app.close();
    }
  });
});
