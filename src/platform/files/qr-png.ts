import QRCode from 'qrcode';
import type { QrCodes } from '../ports/qr-codes.ts';

/** QR codes as PNG, 512 pixels wide: sharp on a phone, about 4 kB. */
export function createQrPng(): QrCodes {
  return {
    png: async (text) =>
      new Uint8Array(
        await QRCode.toBuffer(text, { type: 'png', width: 512, margin: 4, errorCorrectionLevel: 'M' }),
      ),
  };
}
