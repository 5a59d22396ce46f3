// usage: node screenshots.js URL FOLDER    the overview in both themes

const {chromium} = require('playwright-core');

(async () => {
  const [url, folder] = process.argv.slice(2);
  const browser = await chromium.launch({
    executablePath: process.env.WEIR_CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'],
  });
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, colorScheme, timezoneId: 'UTC'});
    const page = await context.newPage();
    await page.goto(url + '/' + (process.env.VIEW || '#/'));
    await page.waitForSelector('#live.on');
    await page.waitForSelector('main tbody tr');
    await page.waitForTimeout(6000);
    await page.screenshot({path: `${folder}/page-${colorScheme}.png`});
    await context.close();
  }
  await browser.close();
})().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
