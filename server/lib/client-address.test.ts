import { describe, expect, test } from 'vitest'
import { clientNetwork } from './client-address.ts'

describe('the network of a client', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network)
  })

  test('two addresses of one /64 are one place, those of two are two', () => {
    expect(clientNetwork('2001:db8:0:1::a')).toBe(clientNetwork('2001:db8:0:1:ffff::b'))
    expect(clientNetwork('2001:db8:0:1::a')).not.toBe(clientNetwork('2001:db8:0:2::a'))
  })
})
