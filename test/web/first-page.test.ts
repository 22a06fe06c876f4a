import { expect } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { type PortalStage, startPortalStage } from './portal-stage.ts'

const LIMIT_BYTES = 200_000

let stage: PortalStage
beforeAll(async () => {
  stage = await startPortalStage()
})
afterAll(() => stage.close())

test('the first page comes with less than 200 kB, fonts and all', async () => {
  const { page, context, ...visitor } = await stage.visit()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let received = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received += encodedDataLength
  })
  visitor.allow(/401/)
  await page.goto('/portal/')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(received).toBeGreaterThan(50_000)
  expect(received).toBeLessThan(LIMIT_BYTES)
  await visitor.close()
})
