import { expect, test } from 'vitest'
import { ADMINISTRATOR, acceptedValue, giveFreshNodes, givenRefusal, type Node } from './catalog.fixture.ts'

let node: Node
giveFreshNodes(fresh => {
  node = fresh.node
})

const SMALL = { name: 'Small', credits: 10.5, price: { amount: 1000, currency: 'EUR' } }

test('a package is on sale until it is taken off or deleted, and the log tells of it', async () => {
  const made = acceptedValue(await node.packages.create(SMALL, ADMINISTRATOR))
  expect(made).toMatchObject({ object: 'package', ...SMALL, on_sale: true })
  expect(node.catalog.current().published.packages).toMatchObject([{ id: made.id, credits: 10.5 }])
  const patched = acceptedValue(await node.packages.patch(made.id, { on_sale: false }, ADMINISTRATOR))
  expect(patched).toEqual({ ...made, on_sale: false })
  expect(node.catalog.current().published.packages).toEqual([])
  acceptedValue(await node.packages.delete(made.id, ADMINISTRATOR))
  expect(givenRefusal(await node.packages.delete(made.id, ADMINISTRATOR)).status).toBe(404)
  expect(givenRefusal(await node.packages.patch(made.id, {}, ADMINISTRATOR)).status).toBe(404)
  const { items } = await node.audit.list({ limit: 10, after: null })
  expect(items.map(entry => entry.action)).toEqual(['package.delete', 'package.update', 'package.create'])
  expect(items[1]).toMatchObject({ before: made, after: patched })
})

test.each([1.0000001, 1e10, Number.POSITIVE_INFINITY])('a package can not hold %d credits', async credits => {
  const refusal = givenRefusal(await node.packages.create({ ...SMALL, credits }, ADMINISTRATOR))
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining('credits') })
})

test('packages on sale are shown to buyers the smallest first, unless the operator put them in another order', async () => {
  for (const credits of [50, 10, 100])
    acceptedValue(await node.packages.create({ ...SMALL, credits }, ADMINISTRATOR))
  expect(node.catalog.current().published.packages.map(shown => shown.credits)).toEqual([10, 50, 100])
  const listed = await node.packages.list({ limit: 2, after: null })
  expect(listed.items.map(item => item.credits)).toEqual([100, 10])
  const [largest] = listed.items
  for (const { id } of (await node.packages.list({ limit: 9, after: null })).items)
    if (id !== largest?.id) acceptedValue(await node.packages.patch(id, { position: 1 }, ADMINISTRATOR))
  expect(node.catalog.current().published.packages.map(shown => shown.credits)).toEqual([100, 10, 50])
})
