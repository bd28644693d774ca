/** Pictures of QR codes. */
export interface QrCodes {
  /** A PNG of the text, dark on white, with the quiet border scanners need. */
  png(text: string): Promise<Uint8Array>;
}
