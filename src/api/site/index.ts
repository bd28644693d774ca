import { gamePages } from './games/index.ts';
import type { Page } from './page.ts';
import { passportPages } from './passport/index.ts';
import { imageFiles, metadataFiles } from './stored-file.ts';

/** Every public page of the open host. */
export const PAGES: readonly Page[] = [metadataFiles, imageFiles, passportPages, gamePages];
