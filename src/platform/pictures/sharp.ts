import sharp from 'sharp';

// Everything this process decodes came from a stranger. Of the dozens of loaders inside libvips only these may run: no SVG
// (scripts, files, endless references), no TIFF, PDF or RAW.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});
// Pictures of strangers repeat seldom, and one thread each keeps trading responsive.
sharp.cache(false);
sharp.concurrency(1);

export { sharp };
