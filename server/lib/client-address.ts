import ipaddr from 'ipaddr.js'

const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/
const IPV6_WITH_PORT = /^\[([^\]]+)\](?::\d+)?$/
const IPV6_NETWORK_PARTS = 4

/**
 * The text by which callers from one place are counted together: an IPv4 address, or the /64 of an IPv6 address, since
 * whoever has one address of a /64 has all of them. An IPv4 address in IPv6 clothes is the IPv4 address. Some proxies
 * send a port along; it is cut off, or else each connection would be a place of its own.
 */
export function clientNetwork(address: string): string {
  const bare = IPV4_WITH_PORT.exec(address)?.[1] ?? IPV6_WITH_PORT.exec(address)?.[1] ?? address
  if (!ipaddr.isValid(bare)) return bare
  const parsed = ipaddr.process(bare)
  if (!('parts' in parsed)) return parsed.toString()
  const network = parsed.parts.slice(0, IPV6_NETWORK_PARTS).map(part => part.toString(16))
  return `${network.join(':')}::/64`
}
