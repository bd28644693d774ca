import { homePage } from '../platform/http/site/home.ts';
import type { Page } from '../platform/http/site/page.ts';
import { imageFiles, metadataFiles } from '../platform/http/site/stored-file.ts';
import { faviconFile, robotsFile, securityFile } from '../platform/http/site/well-known-files.ts';
import { MODULES } from './modules.ts';

/** Every public page of the open host. */
export const PAGES: readonly Page[] = [
  homePage,
  ...MODULES.flatMap(({ pages = [] }) => pages),
  metadataFiles,
  imageFiles,
  robotsFile,
  securityFile,
  faviconFile,
];
