// The rounds of PBKDF2 (RFC 8018) with HMAC (RFC 2104): two blocks of a hash a round, a password a work-item.
// HASH 1: MD5 (RFC 1321), 2: SHA-1, 3: SHA-256, 4: SHA-512 (FIPS 180-4). inner and outer: states after the padded key.
#if HASH == 4
typedef ulong word;
#else
typedef uint word;
#endif

#if HASH == 1
#define WORDS 4
#elif HASH == 2
#define WORDS 5
#else
#define WORDS 8
#endif

static word choose(word x, word y, word z) { return z ^ (x & (y ^ z)); }
static word majority(word x, word y, word z) { return (x & y) | (z & (x ^ y)); }

#if HASH == 1

constant uint sines[64] = {
    0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u,
    0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu, 0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u,
    0xf61e2562u, 0xc040b340u, 0x265e5a51u, 0xe9b6c7aau, 0xd62f105du, 0x02441453u, 0xd8a1e681u, 0xe7d3fbc8u,
    0x21e1cde6u, 0xc33707d6u, 0xf4d50d87u, 0x455a14edu, 0xa9e3e905u, 0xfcefa3f8u, 0x676f02d9u, 0x8d2a4c8au,
    0xfffa3942u, 0x8771f681u, 0x6d9d6122u, 0xfde5380cu, 0xa4beea44u, 0x4bdecfa9u, 0xf6bb4b60u, 0xbebfbc70u,
    0x289b7ec6u, 0xeaa127fau, 0xd4ef3085u, 0x04881d05u, 0xd9d4d039u, 0xe6db99e5u, 0x1fa27cf8u, 0xc4ac5665u,
    0xf4292244u, 0x432aff97u, 0xab9423a7u, 0xfc93a039u, 0x655b59c3u, 0x8f0ccc92u, 0xffeff47du, 0x85845dd1u,
    0x6fa87e4fu, 0xfe2ce6e0u, 0xa3014314u, 0x4e0811a1u, 0xf7537e82u, 0xbd3af235u, 0x2ad7d2bbu, 0xeb86d391u};
constant uint left[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

static void compress(word* state, const word* block) {
  uint a = state[0], b = state[1], c = state[2], d = state[3];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    uint mixed, from;
    if (i < 16)
      mixed = choose(b, c, d), from = i;
    else if (i < 32)
      mixed = choose(d, b, c), from = (5 * i + 1) % 16;
    else if (i < 48)
      mixed = b ^ c ^ d, from = (3 * i + 5) % 16;
    else
      mixed = c ^ (b | ~d), from = 7 * i % 16;
    uint turned = b + rotate(a + mixed + sines[i] + block[from], left[i / 16 * 4 + i % 4]);
    a = d, d = c, c = b, b = turned;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

#elif HASH == 2

static void compress(word* state, const word* block) {
  uint w[16];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    w[i] = block[i];
  uint a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
#pragma unroll
  for (int i = 0; i < 80; ++i) {
    if (i >= 16)
      w[i % 16] = rotate(w[(i + 13) % 16] ^ w[(i + 8) % 16] ^ w[(i + 2) % 16] ^ w[i % 16], 1u);
    uint mixed = i < 20 ? choose(b, c, d) : i < 40 || i >= 60 ? b ^ c ^ d : majority(b, c, d);
    uint added = i < 20 ? 0x5a827999u : i < 40 ? 0x6ed9eba1u : i < 60 ? 0x8f1bbcdcu : 0xca62c1d6u;
    uint next = rotate(a, 5u) + mixed + e + added + w[i % 16];
    e = d, d = c, c = rotate(b, 30u), b = a, a = next;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

#else

#if HASH == 3
#define STEPS 64
#define RIGHT(x, n) rotate(x, 32u - n)
#define LARGE_0(x) (RIGHT(x, 2) ^ RIGHT(x, 13) ^ RIGHT(x, 22))
#define LARGE_1(x) (RIGHT(x, 6) ^ RIGHT(x, 11) ^ RIGHT(x, 25))
#define SMALL_0(x) (RIGHT(x, 7) ^ RIGHT(x, 18) ^ (x) >> 3)
#define SMALL_1(x) (RIGHT(x, 17) ^ RIGHT(x, 19) ^ (x) >> 10)
constant uint roots[STEPS] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};
#else
#define STEPS 80
#define RIGHT(x, n) rotate(x, 64ul - n)
#define LARGE_0(x) (RIGHT(x, 28) ^ RIGHT(x, 34) ^ RIGHT(x, 39))
#define LARGE_1(x) (RIGHT(x, 14) ^ RIGHT(x, 18) ^ RIGHT(x, 41))
#define SMALL_0(x) (RIGHT(x, 1) ^ RIGHT(x, 8) ^ (x) >> 7)
#define SMALL_1(x) (RIGHT(x, 19) ^ RIGHT(x, 61) ^ (x) >> 6)
constant ulong roots[STEPS] = {
    0x428a2f98d728ae22ul, 0x7137449123ef65cdul, 0xb5c0fbcfec4d3b2ful, 0xe9b5dba58189dbbcul, 0x3956c25bf348b538ul,
    0x59f111f1b605d019ul, 0x923f82a4af194f9bul, 0xab1c5ed5da6d8118ul, 0xd807aa98a3030242ul, 0x12835b0145706fbeul,
    0x243185be4ee4b28cul, 0x550c7dc3d5ffb4e2ul, 0x72be5d74f27b896ful, 0x80deb1fe3b1696b1ul, 0x9bdc06a725c71235ul,
    0xc19bf174cf692694ul, 0xe49b69c19ef14ad2ul, 0xefbe4786384f25e3ul, 0x0fc19dc68b8cd5b5ul, 0x240ca1cc77ac9c65ul,
    0x2de92c6f592b0275ul, 0x4a7484aa6ea6e483ul, 0x5cb0a9dcbd41fbd4ul, 0x76f988da831153b5ul, 0x983e5152ee66dfabul,
    0xa831c66d2db43210ul, 0xb00327c898fb213ful, 0xbf597fc7beef0ee4ul, 0xc6e00bf33da88fc2ul, 0xd5a79147930aa725ul,
    0x06ca6351e003826ful, 0x142929670a0e6e70ul, 0x27b70a8546d22ffcul, 0x2e1b21385c26c926ul, 0x4d2c6dfc5ac42aedul,
    0x53380d139d95b3dful, 0x650a73548baf63deul, 0x766a0abb3c77b2a8ul, 0x81c2c92e47edaee6ul, 0x92722c851482353bul,
    0xa2bfe8a14cf10364ul, 0xa81a664bbc423001ul, 0xc24b8b70d0f89791ul, 0xc76c51a30654be30ul, 0xd192e819d6ef5218ul,
    0xd69906245565a910ul, 0xf40e35855771202aul, 0x106aa07032bbd1b8ul, 0x19a4c116b8d2d0c8ul, 0x1e376c085141ab53ul,
    0x2748774cdf8eeb99ul, 0x34b0bcb5e19b48a8ul, 0x391c0cb3c5c95a63ul, 0x4ed8aa4ae3418acbul, 0x5b9cca4f7763e373ul,
    0x682e6ff3d6b2b8a3ul, 0x748f82ee5defb2fcul, 0x78a5636f43172f60ul, 0x84c87814a1f0ab72ul, 0x8cc702081a6439ecul,
    0x90befffa23631e28ul, 0xa4506cebde82bde9ul, 0xbef9a3f7b2c67915ul, 0xc67178f2e372532bul, 0xca273eceea26619cul,
    0xd186b8c721c0c207ul, 0xeada7dd6cde0eb1eul, 0xf57d4f7fee6ed178ul, 0x06f067aa72176fbaul, 0x0a637dc5a2c898a6ul,
    0x113f9804bef90daeul, 0x1b710b35131c471bul, 0x28db77f523047d84ul, 0x32caab7b40c72493ul, 0x3c9ebe0a15c9bebcul,
    0x431d67c49c100d4cul, 0x4cc5d4becb3e42b6ul, 0x597f299cfc657e2aul, 0x5fcb6fab3ad6faecul, 0x6c44198c4a475817ul};
#endif

static void compress(word* state, const word* block) {
  word w[16];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    w[i] = block[i];
  word a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
#pragma unroll
  for (int i = 0; i < STEPS; ++i) {
    if (i >= 16)
      w[i % 16] += SMALL_0(w[(i + 1) % 16]) + w[(i + 9) % 16] + SMALL_1(w[(i + 14) % 16]);
    word first = h + LARGE_1(e) + choose(e, f, g) + roots[i] + w[i % 16];
    word second = LARGE_0(a) + majority(a, b, c);
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

#endif

/// The hash of one digest behind a padded key whose state is start.
static void keyed(word* digest, const word* start) {
  word block[16];
#pragma unroll
  for (int i = 0; i < 16; ++i)
    block[i] = i < WORDS ? digest[i] : 0;
  const word bits = (16 + WORDS) * sizeof(word) * 8;
#if HASH == 1
  block[WORDS] = 0x80;
  block[14] = bits;
#else
  block[WORDS] = (word)1 << (sizeof(word) * 8 - 1);
  block[15] = bits;
#endif
#pragma unroll
  for (int i = 0; i < WORDS; ++i)
    digest[i] = start[i];
  compress(digest, block);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void pbkdf2_rounds(global word* keys, global word* digests, global const word* inner,
                                                                             global const word* outer, int rounds) {
  size_t count = get_global_size(0);
  size_t at = get_global_id(0);
  word key[WORDS], digest[WORDS], inside[WORDS], outside[WORDS];
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    key[i] = keys[i * count + at];
    digest[i] = digests[i * count + at];
    inside[i] = inner[i * count + at];
    outside[i] = outer[i * count + at];
  }
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    keyed(digest, inside);
    keyed(digest, outside);
#pragma unroll
    for (int i = 0; i < WORDS; ++i)
      key[i] ^= digest[i];
  }
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    keys[i * count + at] = key[i];
    digests[i * count + at] = digest[i];
  }
}
