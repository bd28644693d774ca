import { loadImage } from '@napi-rs/canvas';
import QRCode from 'qrcode';
import type { PnlPicture } from '../../ports/charts.ts';
import { percentLabel } from '../rules/labels.ts';
import { startPicture, toPng, write } from './canvas.ts';
import { themeOf } from './theme.ts';

const SIZE = [1_200, 630] as const;
const MARGIN = 60;
const QR = 260;
const TEXT = SIZE[0] - 3 * MARGIN - QR;
const MOST_FACTS = 4;

/** See `Charts.pnl`. */
export async function drawPnl(picture: PnlPicture): Promise<Uint8Array> {
  const theme = themeOf(picture.look);
  const { canvas, pen } = startPicture(...SIZE, theme);
  const { percent } = picture;
  const colour = percent === null ? theme.soft : percent < 0 ? theme.down : theme.up;
  const sign = percent === null || percent === 0 ? '' : percent > 0 ? '▲ ' : '▼ ';
  pen.fillStyle = colour;
  pen.fillRect(0, 0, SIZE[0], 10);
  write(pen, picture.symbol, MARGIN, 90, { size: 64, colour: theme.text, bold: true, width: TEXT });
  write(pen, picture.state, MARGIN, 150, { size: 28, colour: theme.soft, width: TEXT });
  write(pen, `${sign}${percentLabel(picture.look.marks, percent)}`, MARGIN, 268, {
    size: 120,
    colour,
    bold: true,
    width: TEXT,
  });
  picture.facts.slice(0, MOST_FACTS).forEach((fact, row) => {
    write(pen, fact, MARGIN, 380 + row * 44, { size: 30, colour: theme.text, width: TEXT });
  });
  // The code keeps its own white ground: readers want dark on light.
  const code = await QRCode.toBuffer(picture.link, {
    type: 'png',
    width: QR,
    margin: 2,
    errorCorrectionLevel: 'M',
  });
  pen.drawImage(await loadImage(code), SIZE[0] - MARGIN - QR, MARGIN + 10, QR, QR);
  write(pen, picture.bot, SIZE[0] - MARGIN - QR / 2, MARGIN + QR + 44, {
    size: 24,
    colour: theme.soft,
    align: 'center',
    width: QR,
  });
  write(pen, picture.footer, MARGIN, SIZE[1] - 44, { size: 24, colour: theme.soft });
  return toPng(canvas);
}
