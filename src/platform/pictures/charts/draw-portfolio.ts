import type { PortfolioPicture } from '../../ports/charts.ts';
import { compactLabel, priceLabel, shareLabel, timeLabel } from '../rules/labels.ts';
import { createScale, timeTicks, valueTicks } from '../rules/scale.ts';
import { ringSlices } from '../rules/shares.ts';
import { frame, type Pen, rule, startPicture, toPng, write } from './canvas.ts';
import { type Theme, themeOf } from './theme.ts';

const SIZE = [1_280, 800] as const;
const PLOT = { left: 24, right: 690, top: 130, bottom: 700 };
const RING = { x: 1_010, y: 270, outer: 140, inner: 82 };
const LEGEND = { left: 800, top: 455, step: 40 };

/** See `Charts.portfolio`. */
export async function drawPortfolio(picture: PortfolioPicture): Promise<Uint8Array> {
  const theme = themeOf(picture.look);
  const { canvas, pen } = startPicture(...SIZE, theme);
  frame(pen, picture, theme, SIZE);
  drawLine(pen, picture, theme);
  drawRing(pen, picture, theme);
  return toPng(canvas);
}

function drawLine(pen: Pen, { values, texts, look }: PortfolioPicture, theme: Theme): void {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) {
    write(pen, texts.none, (PLOT.left + PLOT.right) / 2, 400, {
      size: 28,
      colour: theme.soft,
      align: 'center',
    });
    return;
  }
  const worths = values.map(({ value }) => value);
  const scale = createScale(Math.min(...worths), Math.max(...worths), PLOT.top, PLOT.bottom);
  const span = Math.max(1, last.t - first.t);
  const xOf = (t: number): number => PLOT.left + ((t - first.t) / span) * (PLOT.right - PLOT.left);
  for (const value of valueTicks(scale, 6)) {
    rule(pen, [PLOT.left, scale.at(value), PLOT.right, scale.at(value)], theme.grid);
    write(pen, priceLabel(look.marks, value, 3), PLOT.right + 8, scale.at(value), {
      size: 22,
      colour: theme.soft,
      width: 90,
    });
  }
  const times = timeTicks(first.t, last.t, 5);
  for (const at of times.at) {
    const x = xOf(at);
    if (x > 60 && x < PLOT.right - 30)
      write(pen, timeLabel(at, times.spacing), x, PLOT.bottom + 28, {
        size: 22,
        colour: theme.soft,
        align: 'center',
      });
  }
  if (first === last) {
    // One day is no line: its level, and that there is no more of it yet.
    const y = scale.at(last.value);
    rule(pen, [PLOT.left, y, PLOT.right, y], theme.accent);
    const at = { size: 24, colour: theme.soft, align: 'center' } as const;
    write(pen, texts.first, (PLOT.left + PLOT.right) / 2, y + 40, at);
  }
  pen.strokeStyle = theme.accent;
  pen.fillStyle = theme.accent;
  pen.lineWidth = 4;
  pen.lineJoin = 'round';
  pen.beginPath();
  for (const { t, value } of values) pen.lineTo(xOf(t), scale.at(value));
  pen.stroke();
  pen.beginPath();
  pen.arc(first === last ? PLOT.right : xOf(last.t), scale.at(last.value), 7, 0, 2 * Math.PI);
  pen.fill();
}

function drawRing(pen: Pen, { shares, unit, texts, look }: PortfolioPicture, theme: Theme): void {
  const slices = ringSlices(shares, texts.rest);
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  slices.forEach(({ label, value, from, to }, row) => {
    const colour = theme.slices[row % theme.slices.length] ?? theme.soft;
    fillSlice(pen, { from, to, isWhole: slices.length === 1 }, colour, theme);
    const y = LEGEND.top + row * LEGEND.step;
    pen.fillStyle = colour;
    pen.fillRect(LEGEND.left, y - 11, 22, 22);
    const share = shareLabel(look.marks, value / whole);
    write(pen, label, LEGEND.left + 36, y, { size: 24, colour: theme.text, width: 200 });
    write(pen, share, SIZE[0] - 24 - 110, y, { size: 24, colour: theme.text, align: 'right' });
    write(pen, compactLabel(look.marks, value), SIZE[0] - 24, y, {
      size: 24,
      colour: theme.soft,
      align: 'right',
    });
  });
  write(pen, slices.length === 0 ? 'n/a' : compactLabel(look.marks, whole), RING.x, RING.y - 12, {
    size: 40,
    colour: theme.text,
    bold: true,
    align: 'center',
  });
  write(pen, unit, RING.x, RING.y + 28, { size: 24, colour: theme.soft, align: 'center' });
}

/** A whole ring has no ends that could be joined: it is a circle as thick as the ring is. */
function fillSlice(
  pen: Pen,
  { from, to, isWhole }: { readonly from: number; readonly to: number; readonly isWhole: boolean },
  colour: string,
  theme: Theme,
): void {
  pen.beginPath();
  if (isWhole) {
    pen.arc(RING.x, RING.y, (RING.outer + RING.inner) / 2, 0, 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = RING.outer - RING.inner;
    pen.stroke();
    return;
  }
  pen.arc(RING.x, RING.y, RING.outer, from, to);
  pen.arc(RING.x, RING.y, RING.inner, to, from, true);
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = theme.ground;
  pen.lineWidth = 3;
  pen.stroke();
}
