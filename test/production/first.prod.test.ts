import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrive, askToBuy, BOUGHT, LONG } from './people.ts';
import { createShape, type Shape } from './shape.ts';

describe('shape', () => {
  let shape: Shape;
  beforeAll(async () => {
    let t = performance.now();
    const lap = (what: string) => { console.log(what, Math.round(performance.now() - t)); t = performance.now(); };
    shape = await createShape();
    lap(`created ${shape.walls}`);
    await shape.startAll();
    lap('ready');
  });
  afterAll(() => shape?.close());
  it('trades', async () => {
    const a = await arrive(shape, 'Ann');
    await askToBuy(shape, a);
    await a.person.tap('Confirm buy');
    await a.person.waitFor(BOUGHT, LONG);
    const o = await shape.ops(['status']);
    console.log(o);
    console.log(shape.role('worker').said().slice(0, 3000));
    expect(o.code).toBe(0);
  });
});
